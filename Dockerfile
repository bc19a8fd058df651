# The processes of the service. What runs is chosen by the command: dist/apps/<process>/src/main.js, without one the API.
# Node 24 is the current long-term support line; all stages name the same image.
FROM node:24.21.0-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY deploy/image deploy/image
# Without peers: the peer of the database client is Prisma's command line, which brings a bundler, React and TypeScript.
# Without optional packages: the embedded PostgreSQL, and the compiler of the bundler.
RUN npm ci --omit=dev --omit=peer --omit=optional --ignore-scripts \
 && node deploy/image/prune-modules.mjs

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY tools tools
COPY domain domain
COPY providers providers
COPY prisma prisma
COPY activities activities
COPY workflows workflows
COPY simulators simulators
COPY apps apps
# What the script for pages made for Plaid is built from.
COPY packages/tsconfig.base.json packages/
COPY packages/connect-protocol packages/connect-protocol
COPY packages/connect-js packages/connect-js
COPY packages/plaid-link packages/plaid-link
# The frame of both command lines.
COPY clients/terminal clients/terminal
# The servers of the standalone mode have no place in an image: here they are containers of their own.
# Neither have the simulators of vendors, which let everyone in.
RUN npm run build \
 && rm -rf dist/apps/standalone dist/simulators/vendors dist/.tsbuildinfo

FROM node:24.21.0-bookworm-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Tributary" \
      org.opencontainers.image.description="Self-hostable financial account aggregation" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="docker.io/library/node:24.21.0-bookworm-slim"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=modules /app/package.json ./
COPY --from=modules /app/node_modules node_modules
COPY --from=build /app/dist dist
# Owned by root: a process can read the code and not change it. By number, so that Kubernetes sees that it is not root.
USER 1000:1000
EXPOSE 4000 4001 4002 4003 4100
# Of the API; another process has its name as an argument, and Kubernetes uses probes instead.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=6 \
  CMD ["node", "dist/apps/platform/src/process/check-health.js", "api"]
CMD ["node", "--enable-source-maps", "dist/apps/api/src/main.js"]
