import { useClient } from './use-client.mjs';

export default {
  async fetch(_request, { TRIBUTARY_URL, CLIENT_ID, CLIENT_SECRET }) {
    const options = {
      baseUrl: TRIBUTARY_URL,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
    };
    try {
      return Response.json(await useClient(options));
    } catch (error) {
      return new Response(String(error.stack), { status: 500 });
    }
  },
};
