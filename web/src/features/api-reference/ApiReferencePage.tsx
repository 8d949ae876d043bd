import { Anchor, Badge, Code, Tabs, Text } from '@mantine/core'
import { ENDPOINTS } from '@sortie/contract/contract.ts'
import type { Endpoint } from '@sortie/contract/endpoint.ts'
import { ERROR_STATUS } from '@sortie/contract/errors.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../shell/links.tsx'
import { isAdmin, useOrganization } from '../../shell/organization.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Properties } from '../../ui/Properties.tsx'
import classes from './api-reference.module.css'
import { curlExample, typescriptExample } from './examples.ts'
import { FieldTable } from './FieldTable.tsx'

const OFFERED = ENDPOINTS.filter(({ doors }) => doors.includes('key'))

/** The API that keys open, made from the same declarations that the server is made from. */
export const ApiReferencePage = () => {
  const organization = useOrganization()
  const { origin } = window.location
  return (
    <Page title="API" description={`What programs can do in ${organization.name}, with an API key.`}>
      <Section title="Basics">
        <Properties
          items={[
            ['Base address', <Code key="base">{`${origin}/api`}</Code>],
            [
              'Authentication',
              <span key="auth">
                Every request carries <Code>Authorization: Bearer &lt;API_KEY&gt;</Code>
              </span>,
            ],
            [
              'Keys',
              isAdmin(organization) ? (
                <TextLink key="keys" to={paths.apiKeys(organization.slug)}>
                  API keys of {organization.name}
                </TextLink>
              ) : (
                'An admin or the owner makes them.'
              ),
            ],
            [
              'Limits',
              <span key="limits">
                Every answer says where you stand: <Code>X-RateLimit-Limit</Code>, <Code>X-RateLimit-Remaining</Code>, <Code>X-RateLimit-Reset</Code>. After
                429, wait as <Code>Retry-After</Code> says.
              </span>,
            ],
            ['OpenAPI', <Anchor key="openapi" href="/api/v1/openapi.json" target="_blank" inherit>{`${origin}/api/v1/openapi.json`}</Anchor>],
          ]}
        />
      </Section>
      <Section title="Operations">
        <nav aria-label="Operations">
          <ul className={classes.index}>
            {OFFERED.map((endpoint) => (
              <li key={endpoint.id}>
                <Anchor href={`#${endpoint.id}`} size="sm">
                  <Code className={classes.method}>{endpoint.method}</Code> {endpoint.path}
                </Anchor>
              </li>
            ))}
          </ul>
        </nav>
      </Section>
      {OFFERED.map((endpoint) => (
        <Operation key={endpoint.id} endpoint={endpoint} origin={origin} />
      ))}
      <Section title="Errors" description="The body of every refusal: error.code, error.message, error.statusCode.">
        <Properties items={Object.entries(ERROR_STATUS).map(([code, status]) => [String(status), <Code key={code}>{code}</Code>] as const)} />
      </Section>
    </Page>
  )
}

const Operation = ({ endpoint, origin }: { endpoint: Endpoint; origin: string }) => (
  <section className={classes.operation} id={endpoint.id} aria-labelledby={`${endpoint.id}-title`}>
    <h2 id={`${endpoint.id}-title`} className={classes.title}>
      <Code className={classes.method}>{endpoint.method}</Code> <span>/api/v1{endpoint.path}</span>
    </h2>
    <Text size="sm">{endpoint.summary}</Text>
    {endpoint.description && (
      <Text size="sm" c="dimmed">
        <InlineCode text={endpoint.description} />
      </Text>
    )}
    <div className={classes.tags}>
      <Badge variant="default">scope {scopeName(endpoint)}</Badge>
      <Badge variant="default">{endpoint.origin}</Badge>
    </div>
    <FieldTable title="Query" schema={endpoint.query} />
    <FieldTable title="Body" schema={endpoint.body} />
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List mb="xs">
        <Tabs.Tab value="curl">curl</Tabs.Tab>
        <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
        {endpoint.example && <Tabs.Tab value="reply">Answer</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="curl">
        <CodeBlock label={`${endpoint.id} with curl`} code={curlExample(endpoint, origin)} />
      </Tabs.Panel>
      <Tabs.Panel value="typescript">
        <CodeBlock label={`${endpoint.id} in TypeScript`} code={typescriptExample(endpoint, origin)} />
      </Tabs.Panel>
      {endpoint.example && (
        <Tabs.Panel value="reply">
          <CodeBlock label={`Answer of ${endpoint.id}`} code={JSON.stringify(endpoint.example.reply, null, 2)} />
        </Tabs.Panel>
      )}
    </Tabs>
  </section>
)

/** Text in which `names` stand between backticks, as the OpenAPI document has it. */
const InlineCode = ({ text }: { text: string }) => text.split('`').map((part, index) => (index % 2 === 1 ? <Code key={part}>{part}</Code> : part))

/** Engagement scopes are the operator's choice: shown as they are unless changed (open point 2). */
const scopeName = ({ scope }: Endpoint): string => {
  if (scope === 'setting:ENGAGEMENT_READ_SCOPE') return 'organizations:read'
  if (scope === 'setting:ENGAGEMENT_WRITE_SCOPE') return 'organizations:write'
  return scope
}
