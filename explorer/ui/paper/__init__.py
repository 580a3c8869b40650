"""What stands on paper and on pages without a server: what a stage shows, in its order, and prose as HTML."""
