// Strapi with one collection, as its own start command runs it, without the administration's pages.
const { mkdirSync } = require('node:fs')
const { createStrapi } = require('@strapi/strapi')

// It would tell its maker of this start.
process.env.STRAPI_TELEMETRY_DISABLED = 'true'
// Git keeps no empty directory, and Strapi wants this one to be there.
mkdirSync(`${__dirname}/public/uploads`, { recursive: true })
void createStrapi({ appDir: __dirname, distDir: __dirname, serveAdminPanel: false }).start()
