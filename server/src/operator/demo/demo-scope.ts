import { createScopeRules } from '../../features/scope/bulk/scope-bulk.service.ts'
import { createTargets } from '../../features/targets/targets-bulk.service.ts'
import { reevaluateTargets } from '../../features/targets/verdicts/reevaluate-targets.service.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Writer } from '../../platform/context.ts'

interface Demonstration {
  rules: Record<'allow' | 'deny' | 'caution', string>
  /** Targets by their tag. */
  targets: Record<string, string>
}

const times = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

/** By the client's name. */
const DEMONSTRATIONS: Readonly<Record<string, Demonstration>> = {
  Contoso: {
    rules: {
      allow: '# annex A\n*.contoso.example\ncontoso.example\n198.51.100.0/24\n2001:db8:c0::/48',
      deny: 'shop.contoso.example # run by someone else\n198.51.100.200-254',
      caution: 'https://www.contoso.example/booking # real customers\nmail.contoso.example',
    },
    targets: {
      perimeter: `198.51.100.0/24\n${times(250, (index) => `198.51.100.${index + 1}`)}`,
      names: times(
        240,
        (index) =>
          `${['web', 'api', 'vpn', 'dev', 'mx', 'cdn'][index % 6]}-${String(index).padStart(4, '0')}.contoso.example`,
      ),
      portal:
        'https://portal.contoso.example/\nhttps://api.contoso.example/\nhttps://booking.contoso.example/\nhttps://id.contoso.example/',
      web: 'https://www.contoso.example/\nhttps://www.contoso.example/booking/new\nhttps://shop.contoso.example/\nmail.contoso.example:25\ncontoso-partner.example',
    },
  },
  Fabrikam: {
    rules: {
      allow: '10.40.0.0/16\n*.corp.fabrikam.example',
      deny: '10.40.250.0/24 # plant',
      caution: '10.40.10.10 # domain controller',
    },
    targets: {
      office: times(1_200, (index) => `10.40.${index >> 8}.${index & 255}`),
      plant: `10.40.250.0/24\n${times(40, (index) => `10.40.250.${index + 1}:502`)}`,
      directory: 'dc01.corp.fabrikam.example\ndc02.corp.fabrikam.example:636\nintranet.corp.fabrikam.example',
    },
  },
  'Tailspin Toys': {
    rules: {
      allow: 'api.tailspin.example\nhttps://bank.tailspin.example/mobile',
      deny: 'https://api.tailspin.example/payments/live',
      caution: '',
    },
    targets: {
      api: `${times(60, (index) => `https://api.tailspin.example/v2/resource-${index}`)}\nhttps://api.tailspin.example/payments/live/transfer`,
    },
  },
}

/** Rules and targets for an engagement with this client, if the demonstration has any. */
export const seedScope = async (
  platform: Writer,
  actor: Actor,
  engagementId: string,
  clientName: string | undefined,
): Promise<void> => {
  const demonstration = DEMONSTRATIONS[clientName ?? '']
  if (!demonstration) return
  for (const effect of ['allow', 'deny', 'caution'] as const) {
    await createScopeRules(platform, actor, reevaluateTargets, {
      engagementId,
      effect,
      text: demonstration.rules[effect],
    })
  }
  for (const [tag, text] of Object.entries(demonstration.targets))
    await createTargets(platform, actor, { engagementId, text, tags: [tag] })
}
