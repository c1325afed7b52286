"""The agent kind `model:MODEL`: a chat model that calls the task's tools by itself, in a small loop of ours."""
