import { alternateLoad, atLeast, type Figure, ratios } from '../lib/figure.ts'
import { startServer } from '../lib/processes.ts'
import { seedOrganization } from '../lib/seed.ts'
import { MEMBERS, ORGANIZATION, startSortie } from '../lib/sortie.ts'

export const p2: Figure = {
  name: 'P2',
  title: 'Against bare Fastify answering the same bytes from memory',
  measure: async (bench) => {
    const url = await bench.database.createMigrated('p2')
    const { headers } = await seedOrganization(url, 'p2', 100)
    const sortie = await startSortie(url)
    const bytesOf = async (path: string) => (await fetch(sortie.origin + path, { headers })).text()
    const env = { MEMBERS: await bytesOf(MEMBERS), ORGANIZATION: await bytesOf(ORGANIZATION) }
    const fixed = await startServer({ script: 'bench/servers/fixed.ts', readyPath: '/members', env })
    try {
      const [members, fixedMembers, organization, fixedOrganization] = await alternateLoad(bench, [
        { name: 'sortie, members', server: sortie, path: MEMBERS, headers },
        { name: 'fixed, members', server: fixed, path: '/members' },
        { name: 'sortie, organization', server: sortie, path: ORGANIZATION, headers },
        { name: 'fixed, organization', server: fixed, path: '/organization' },
      ])
      return [
        atLeast('member list', 0.35, ratios(members, fixedMembers), `${members.cpuUs.toFixed(0)} against ${fixedMembers.cpuUs.toFixed(0)} us of server CPU`),
        atLeast(
          'current organization',
          0.5,
          ratios(organization, fixedOrganization),
          `${organization.cpuUs.toFixed(0)} against ${fixedOrganization.cpuUs.toFixed(0)} us of server CPU`,
        ),
      ]
    } finally {
      await Promise.all([sortie.stop(), fixed.stop()])
    }
  },
}
