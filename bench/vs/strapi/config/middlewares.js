// What a new project has, without the line that is logged per request.
const NAMES = ['errors', 'security', 'cors', 'poweredBy', 'query', 'body', 'session', 'favicon', 'public']
module.exports = NAMES.map((name) => `strapi::${name}`)
