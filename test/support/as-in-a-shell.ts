// What Vite adds to the environment, programs that tests start would take for settings of their own.
for (const name of ['BASE_URL', 'DEV', 'MODE', 'PROD', 'SSR'])
  Reflect.deleteProperty(process.env, name);
