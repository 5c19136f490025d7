"""WebSocket `/ws/vox`: spoken conversations."""
