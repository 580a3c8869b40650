"""The book without a server: every lesson and scene as pages that any host serves, and any folder holds."""
