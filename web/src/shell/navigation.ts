import type { Area, Feature, FeatureCommand, NavigationEntry } from '../feature.ts'
import { FEATURES } from '../features.ts'
import type { OwnOrganization } from './organization.tsx'

/** A link as it is shown. */
export interface Destination extends Omit<NavigationEntry, 'to' | 'isFor' | 'area'> {
  to: string
}

const features: readonly Feature[] = FEATURES

/**
 * The links of one area that a person sees, in the order of `features.ts`.
 *
 * @param organization the one that is open; only the areas `account` and `instance` are without
 * @param engagementId the engagement that is open
 */
export const destinations = (area: Area, organization: OwnOrganization | undefined, engagementId = ''): Destination[] =>
  features
    .flatMap(({ navigation = [] }) => navigation)
    .filter((entry) => entry.area === area && isShown(entry, organization))
    .toSorted((a, b) => Number(a.isLast ?? false) - Number(b.isLast ?? false))
    .map(({ to, isFor: _, area: __, ...entry }) => ({ ...entry, to: to({ slug: organization?.slug ?? '', engagementId }) }))

/**
 * What can be done from anywhere in an organization.
 *
 * @param engagementId the engagement that is open, of which some then are
 */
export const featureCommands = (organization: OwnOrganization, engagementId = ''): (Omit<FeatureCommand, 'to' | 'isFor'> & { to: string })[] =>
  features
    .flatMap(({ commands = [] }) => commands)
    .filter((command) => isShown(command, organization))
    .map(({ to, isFor: _, ...command }) => ({ ...command, to: to({ slug: organization.slug, engagementId }) }))

const isShown = ({ isFor }: Pick<NavigationEntry, 'isFor'>, organization: OwnOrganization | undefined): boolean =>
  isFor === undefined || (organization !== undefined && isFor(organization))
