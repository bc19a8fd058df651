// Compiled, never run: the same package through require.
import tributaryNode = require('@tributary/node');

const client = new tributaryNode.Tributary({ baseUrl: 'https://api.example' });
const links: tributaryNode.PagedList<tributaryNode.Link, unknown> = client.links.list();
export = { links, isRefused: (error: unknown) => error instanceof tributaryNode.ApiError };
