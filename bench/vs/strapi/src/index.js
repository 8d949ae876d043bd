const { writeFileSync } = require('node:fs')

/** Members, and a token that may do everything, as a static one of an integration: how they are asked for is written to READY_FILE. */
exports.bootstrap = async ({ strapi }) => {
  for (let i = 1; i <= Number(process.env.MEMBERS); i++) {
    const data = {
      name: `Person ${i}`,
      email: `${i}@example.com`,
      role: i === 1 ? 'owner' : 'member',
      joinedAt: new Date().toISOString(),
    }
    await strapi.documents('api::member.member').create({ data })
  }
  const { accessKey } = await strapi
    .service('admin::api-token')
    .create({ name: 'bench', description: '', type: 'full-access', lifespan: null })
  await strapi.db.connection.raw('analyze')
  const path = '/api/members?pagination[page]=1&pagination[pageSize]=20&sort=joinedAt'
  writeFileSync(process.env.READY_FILE, JSON.stringify({ path, headers: { authorization: `Bearer ${accessKey}` } }))
}
