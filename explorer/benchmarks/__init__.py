"""How much one machine holds."""
