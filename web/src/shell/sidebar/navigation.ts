import type { Area, Feature, FeatureCommand, NavigationEntry } from '../../feature.ts'
import type { OwnOrganization } from '../context/organization.tsx'

/** A link as rendered. */
export interface Destination extends Omit<NavigationEntry, 'to' | 'isFor' | 'area'> {
  to: string
}

/**
 * Links of one area that a user sees, in the order of `features.ts`.
 * @param organization the open one; only the areas `account` and `instance` have none
 * @param engagementId the open engagement
 */
export const destinations = (
  features: readonly Feature[],
  area: Area,
  organization: OwnOrganization | undefined,
  engagementId = '',
): Destination[] =>
  features
    .flatMap(({ navigation = [] }) => navigation)
    .filter((entry) => entry.area === area && isShown(entry, organization))
    .toSorted((a, b) => Number(a.isLast ?? false) - Number(b.isLast ?? false))
    .map(({ to, isFor: _, area: __, ...entry }) => ({
      ...entry,
      to: to({ slug: organization?.slug ?? '', engagementId }),
    }))

/**
 * Global commands within an organization.
 * @param engagementId the open engagement, which adds its own commands
 */
export const featureCommands = (
  features: readonly Feature[],
  organization: OwnOrganization,
  engagementId = '',
): (Omit<FeatureCommand, 'to' | 'isFor' | 'isInEngagement'> & { to: string })[] =>
  features
    .flatMap(({ commands = [] }) => commands)
    .filter((command) => isShown(command, organization) && (!command.isInEngagement || engagementId !== ''))
    .map(({ to, isFor: _, isInEngagement: __, ...command }) => ({
      ...command,
      to: to({ slug: organization.slug, engagementId }),
    }))

const isShown = ({ isFor }: Pick<NavigationEntry, 'isFor'>, organization: OwnOrganization | undefined): boolean =>
  isFor === undefined || (organization !== undefined && isFor(organization))
