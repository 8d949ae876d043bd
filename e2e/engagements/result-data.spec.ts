import { visit } from '../support/pages/visit.ts'
import { expect, test } from '../support/server/sortie.ts'

test('code flows, exchanges and headers of a result are laid out, and nothing in them runs', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const as = async (method: string, path: string, body?: unknown) =>
    (await people.call(organization.owner, method, `/api/web${path}`, body, organization.id)).body.data
  const { id } = await as('POST', '/engagements', { name: 'Contoso' })
  const place = (uri: string, startLine: number, text: string) => ({
    location: { physicalLocation: { artifactLocation: { uri }, region: { startLine } }, message: { text } },
  })
  await as('POST', `/imports?engagementId=${id}&fileName=code.sarif&wait=30`, {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'CodeQL' } },
        results: [
          {
            ruleId: 'js/sql-injection',
            message: { text: 'A query is built from input.' },
            locations: [place('src/db.js', 42, '').location],
            codeFlows: [
              {
                threadFlows: [
                  { locations: [place('src/routes.js', 7, '<b>req.query.id</b>'), place('src/db.js', 42, 'q')] },
                ],
              },
            ],
            webRequest: { method: 'GET', target: '/items?id=1', headers: { Host: 'a.example' } },
          },
        ],
      },
    ],
  })
  await as('POST', `/imports?engagementId=${id}&fileName=nuclei.json&wait=30`, {
    'template-id': 'oob',
    info: { name: 'Out of band', severity: 'high' },
    type: 'http',
    'matched-at': 'https://a.example/x',
    request: 'GET /x HTTP/1.1',
    response: 'HTTP/1.1 200 OK',
    interaction: { protocol: 'dns', 'raw-request': 'lookup of a.oast.example' },
  })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${id}/results`)
  const peek = page.getByRole('complementary', { name: 'Preview' })
  const open = async (title: string) => {
    const [result] = await as('GET', `/results?engagementId=${id}&q=${encodeURIComponent(title)}`)
    await visit(page, `/o/${organization.slug}/results/${result.id}`)
    await expect(peek.getByRole('heading', { level: 2, name: title })).toBeVisible()
  }
  await open('js/sql-injection')
  await expect(peek.getByRole('region', { name: 'Code flows' }).getByRole('listitem')).toHaveText([
    'src/routes.js:7 <b>req.query.id</b>',
    'src/db.js:42 q',
  ])
  await open('Out of band')
  const first = peek.getByRole('region', { name: 'Exchange 1 of 2' })
  await expect(first.getByRole('heading', { level: 4, name: 'Request' })).toBeVisible()
  await expect(first).toContainText('GET /x HTTP/1.1')
  await expect(peek.getByRole('region', { name: 'Exchange 2 of 2' })).toContainText('lookup of a.oast.example')
})
