# recorderd in a container: see docs/install.md, and compose.yaml for an example. The build is the same on every architecture: its only
# compiled code is WebAssembly.

FROM docker.io/library/node:22-trixie-slim AS build
# Behind a proxy with its own certificate authority: the path of its certificate, mounted with --volume.
ARG NODE_EXTRA_CA_CERTS
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json rolldown.config.ts vite.config.ts ./
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -f dist/.tsbuildinfo && \
    find dist node_modules -name '*.map' -delete

# tini is process 1: it forwards SIGTERM and reaps captures, which are detached and outlive the process that started them.
FROM docker.io/library/debian:trixie-slim AS system
RUN apt-get update && \
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates dvblast nodejs tini && \
    apt-get clean && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/apt /var/log/dpkg.log

# Debian's ffmpeg depends on drivers of graphics cards, which are larger than the rest of the image; ffmpeg does not load them.
FROM system AS ffmpeg
RUN find /usr/lib -name '*.so*' >/ffmpeg.had && apt-get update && \
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ffmpeg
COPY packaging/container/pick-ffmpeg.sh /usr/local/bin/
RUN pick-ffmpeg.sh /ffmpeg

FROM system
LABEL org.opencontainers.image.title="recorderd" \
      org.opencontainers.image.description="A recorder for digital television: turns the timers of a guide account into verified files" \
      org.opencontainers.image.licenses="MIT"
COPY --from=ffmpeg /ffmpeg /
# /run/recorderd: a tmpfs mounted there takes over the mode of this folder, but not its owner.
RUN ldconfig && ffmpeg -hide_banner -version && ffprobe -hide_banner -version && \
    useradd --uid 1000 --groups video --no-create-home --home-dir /var/lib/recorderd --shell /usr/sbin/nologin recorderd && \
    install -d -o recorderd -g recorderd -m 0750 /var/lib/recorderd /etc/recorderd && \
    install -d -m 1777 /run/recorderd && \
    install -d -o recorderd -g recorderd /srv/recordings
WORKDIR /usr/lib/recorderd
COPY package.json LICENSE ./
COPY config config
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY packaging/container/start.sh packaging/container/health.sh ./
RUN chmod 0755 dist/main.js && ln -s ../lib/recorderd/dist/main.js /usr/bin/recorderd

# systemd/recorderd.service explains these.
ENV NODE_OPTIONS=--max-semi-space-size=2
ENV MALLOC_MMAP_THRESHOLD_=32768
USER recorderd
VOLUME ["/etc/recorderd", "/var/lib/recorderd", "/srv/recordings"]
HEALTHCHECK --interval=60s --timeout=30s --start-period=60s --retries=3 CMD ["/usr/lib/recorderd/health.sh"]
ENTRYPOINT ["/usr/bin/tini", "--", "/usr/lib/recorderd/start.sh"]
CMD []
