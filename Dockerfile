# The fabula command line with its base dependencies, for docker-compose.yml:
#
#   docker compose run --rm fabula ingest all
#
# Pinned and hashed like every other set-up of the project; runs as a user without rights.

FROM python:3.11-slim-bookworm

ENV PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /app
COPY requirements/build.txt requirements/base.txt requirements/
RUN pip install --require-hashes -r requirements/build.txt \
 && pip install --require-hashes --no-build-isolation -r requirements/base.txt
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY graph graph
COPY ingest ingest
COPY reasoners reasoners
COPY benchmarks benchmarks
COPY fabula fabula
# A new volume takes over the folder's owner.
RUN pip install --no-deps --no-build-isolation . \
 && useradd --create-home fabula && install --directory --owner=fabula /work
USER fabula
WORKDIR /work
ENTRYPOINT ["fabula"]
CMD ["--help"]
