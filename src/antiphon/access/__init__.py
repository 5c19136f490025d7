"""Access: users, groups, roles, tokens and sign-in, in the store."""
