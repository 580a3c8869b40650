"""A class that votes: a wall, a teacher's remote control and students' phones in one room."""
