"""MCP serving: the registry for clients of the Model Context Protocol, over HTTP and stdio."""
