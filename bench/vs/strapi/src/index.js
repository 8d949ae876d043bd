const { writeFileSync } = require('node:fs')

module.exports = {
  /** Members, and a token that may do everything, as a static one of an integration: written to READY_FILE. */
  async bootstrap({ strapi }) {
    const { MEMBERS, READY_FILE } = process.env
    for (let i = 1; i <= Number(MEMBERS); i++) {
      await strapi.documents('api::member.member').create({
        data: { name: `Person ${i}`, email: `${i}@example.com`, role: i === 1 ? 'owner' : 'member', joinedAt: new Date().toISOString() },
      })
    }
    const { accessKey } = await strapi.service('admin::api-token').create({ name: 'bench', description: '', type: 'full-access', lifespan: null })
    await strapi.db.connection.raw('analyze')
    writeFileSync(READY_FILE, JSON.stringify({ token: accessKey }))
  },
}
