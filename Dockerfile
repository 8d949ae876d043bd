# Sortie as an image: docs/operating/containers.md says how to build and run it. The version of Node is that of
# package.json. To pin the base by its digest as well: --build-arg BASE=node:...@sha256:...
ARG BASE=docker.io/library/node:24.21.0-trixie-slim

FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY client/package.json client/
COPY cli/package.json cli/
COPY embedded-postgres/package.json embedded-postgres/
COPY server/package.json server/
COPY web/package.json web/
RUN npm ci --include=dev
COPY . .
ARG SOURCE_COMMIT=
RUN SOURCE_COMMIT="$SOURCE_COMMIT" node scripts/release/release.mjs --directory /release --without-node

FROM ${BASE}
# Installing is over: nothing in the image is a package manager for Node.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates nmap tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log \
    /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
    /usr/local/include/node \
  && groupadd --gid 10001 sortie \
  && useradd --uid 10001 --gid sortie --no-create-home --home-dir /data --shell /usr/sbin/nologin sortie \
  && install -d -o sortie -g sortie -m 700 /data /backups
COPY --from=build /release /app
COPY --from=build /release/sbom.cdx.json /usr/share/sortie/sbom.cdx.json
COPY deploy/container/start.sh deploy/container/health.mjs /usr/local/lib/sortie/
COPY deploy/container/operator /usr/local/bin/operator

ARG SOURCE_COMMIT=
ARG VERSION=0.2.0
ARG BASE
LABEL org.opencontainers.image.title="Sortie" \
  org.opencontainers.image.description="A multi-user platform on which teams of security consultants run their engagements." \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$SOURCE_COMMIT" \
  org.opencontainers.image.base.name="$BASE"

ENV DATA_DIR=/data \
  STORAGE_PATH=/data/uploads \
  HOST=0.0.0.0 \
  PORT=3001 \
  NODE_OPTIONS="--max-semi-space-size=16 --max-old-space-size=1536"
WORKDIR /app
USER 10001:10001
VOLUME /data
EXPOSE 3001
STOPSIGNAL SIGTERM
# The first start makes a database, and an upgrade migrates it.
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --retries=4 CMD ["node", "/usr/local/lib/sortie/health.mjs"]
# tini is PID 1: it passes signals on and reaps what loses its parent.
ENTRYPOINT ["/usr/bin/tini", "--", "/usr/local/lib/sortie/start.sh"]
