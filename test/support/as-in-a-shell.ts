// Programs started by tests would read what Vite adds to the environment as their own settings.
for (const name of ['BASE_URL', 'DEV', 'MODE', 'PROD', 'SSR'])
  Reflect.deleteProperty(process.env, name);
