"""People's side of Sizewell: reading messages, dialogue, rendering, history, terminal and Telegram."""
