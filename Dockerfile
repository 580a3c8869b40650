# A Hugging Face Space (sdk: docker) or any container host: uid 1000, one port, nothing written outside /tmp and the cache.
FROM python:3.11-slim

# A Space's variables arrive as build arguments: give the index of PyTorch's CPU builds here to save gigabytes.
ARG PIP_EXTRA_INDEX_URL=""

RUN useradd --create-home --uid 1000 explorer
USER explorer
ENV PATH=/home/explorer/.local/bin:$PATH \
    HF_HOME=/tmp/huggingface \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1

WORKDIR /home/explorer/app
COPY --chown=explorer requirements.txt .
RUN pip install --user --no-cache-dir -r requirements.txt
COPY --chown=explorer . .

EXPOSE 8501
HEALTHCHECK CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8501/_stcore/health')"]
# Uploads from a Space's iframe need XSRF protection off; strangers see the type of an error, not its trace.
CMD ["streamlit", "run", "app.py", "--server.port=8501", "--server.address=0.0.0.0", "--server.headless=true", \
     "--server.fileWatcherType=none", "--server.enableXsrfProtection=false", "--client.showErrorDetails=type"]
