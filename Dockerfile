# recorderd in a container: docs/operating.md says how to run it, compose.yaml is an example of it. Nothing in it depends on the
# architecture: what is compiled is WebAssembly.

FROM docker.io/library/node:22-trixie-slim AS build
# Where npm is reached through a proxy with an authority of its own: a file with its certificate, put there with --volume.
ARG NODE_EXTRA_CA_CERTS
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json rolldown.config.ts vite.config.ts ./
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -f dist/.tsbuildinfo && \
    find dist node_modules -name '*.map' -delete

FROM docker.io/library/debian:trixie-slim
LABEL org.opencontainers.image.title="recorderd" \
      org.opencontainers.image.description="The recorder's side of a television guide: turns an account's timers into verified files" \
      org.opencontainers.image.licenses="MIT"
# /run/recorderd: a file system in memory that is mounted there takes over its mode, and not whose it is.
# tini is process 1: it hands SIGTERM on, and buries captures, which are detached and outlive the process that began them.
RUN apt-get update && \
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates dvblast ffmpeg nodejs tini && \
    rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log && \
    useradd --uid 1000 --groups video --no-create-home --home-dir /var/lib/recorderd --shell /usr/sbin/nologin recorderd && \
    install -d -o recorderd -g recorderd -m 0750 /var/lib/recorderd && \
    install -d -m 1777 /run/recorderd && \
    install -d -o recorderd -g recorderd /srv/recordings && \
    install -d /etc/recorderd
WORKDIR /usr/lib/recorderd
COPY package.json LICENSE ./
COPY config config
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
RUN chmod 0755 dist/main.js && ln -s ../lib/recorderd/dist/main.js /usr/bin/recorderd

# As systemd/recorderd.service has it, and says why.
ENV NODE_OPTIONS=--max-semi-space-size=2
ENV MALLOC_MMAP_THRESHOLD_=32768
USER recorderd
VOLUME ["/var/lib/recorderd", "/srv/recordings"]
HEALTHCHECK --interval=60s --timeout=30s --start-period=60s --retries=3 CMD ["recorderd", "status"]
# A core would hold tokens and passwords: none is written, whatever limits the container has.
ENTRYPOINT ["/usr/bin/tini", "--", "/bin/sh", "-c", "ulimit -c 0; exec recorderd \"$@\"", "recorderd"]
# Nothing lives on when a container stops: captures are ended with their files closed, and go on in another segment at the next start.
CMD ["run", "--end-captures", "--config", "/etc/recorderd/recorderd.yaml"]
