# The service with its console, for a PostgreSQL of its own (DATABASE_URL). It writes nothing to its
# root file system and runs as the user 1000.

# All stages begin with it: name a mirror's image where Docker Hub is out of reach. It has glibc, for
# which Node is built and tested; its builds for musl (Alpine) are experimental (Node, BUILDING.md).
ARG BASE=docker.io/library/node:26.10.0-slim

FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# Without scripts: these fetch a Node, which is here, and make the console, which follows.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build \
  && node --disable-warning=ExperimentalWarning server/scripts/write-package.ts dist \
  && cp package-lock.json dist/

# The versions of package-lock.json, without the programs of the embedded PostgreSQL and a second Node,
# which are optional, and without what only compilers and debuggers read.
FROM ${BASE} AS dependencies
COPY --from=build /build/dist /app
WORKDIR /app
RUN npm install --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && rm package-lock.json \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.?ts' \) -delete

FROM ${BASE}
COPY --from=dependencies /app /app
ENV NODE_ENV=production HOST=0.0.0.0
USER 1000:1000
WORKDIR /app
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/lora-console.js"]
CMD ["serve"]
