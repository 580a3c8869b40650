"""An installed package: what a wheel holds, and the command that starts the app and the rest."""
