# The service with its console, for a PostgreSQL of its own (DATABASE_URL). It writes nothing to its
# root file system and runs as the user 1000.
ARG NODE_VERSION=26.10.0

FROM node:${NODE_VERSION}-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && npm run build \
  && node --disable-warning=ExperimentalWarning server/scripts/write-package.ts dist \
  && cp package-lock.json dist/

# The versions of package-lock.json, without the programs of the embedded PostgreSQL and without the
# npm package of Node, which the image has already.
FROM node:${NODE_VERSION}-slim AS dependencies
COPY --from=build /build/dist /app
WORKDIR /app
RUN npm pkg delete dependencies.node \
  && npm install --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && rm package-lock.json

FROM node:${NODE_VERSION}-alpine
COPY --from=dependencies /app /app
ENV NODE_ENV=production HOST=0.0.0.0
USER 1000:1000
WORKDIR /app
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/lora-console.js"]
CMD ["serve"]
