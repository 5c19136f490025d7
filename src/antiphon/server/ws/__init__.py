"""`/ws/vox`: spoken conversations over a WebSocket."""
