"""What a live picture is made of outside any page: its modules, its bytes, its words, and the file that it becomes.

The scripts lie in `explorer/ui/live/`, from where the app serves them.
"""
