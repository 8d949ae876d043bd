import type { QueryKey } from '@tanstack/react-query'
import type { AnyRoute } from '@tanstack/react-router'
import type { WebCall } from './api/api.ts'
import type { OwnOrganization } from './shell/context/organization.tsx'
import type { EventType, LiveEvent } from './shell/live/live-message.ts'
import { type Icon } from './ui/icons.tsx'

/** The routes of `shell/routing/parents.ts` that a feature can attach its pages to. */
export type Parent = 'root' | 'signedIn' | 'organization' | 'admins' | 'readers' | 'engagement' | 'account' | 'instance'

/** Location of a link: the first sidebar, one of the three settings areas, or the sidebar of an engagement. */
export type Area = 'work' | 'organization' | 'settings' | 'account' | 'instance' | 'engagement'

/** Groups of an engagement's sidebar, from the top. */
export const ENGAGEMENT_GROUPS = ['overview', 'plan', 'recon', 'work', 'deliver', 'record'] as const

/** What an address is made from: the organization's slug, and the engagement where one is open. */
export interface PageAddress {
  slug: string
  engagementId: string
}

/** A link in a sidebar and in the command palette, in the order of `features.ts`. */
export interface NavigationEntry {
  area: Area
  /** For the area `engagement`; absent: `record`. */
  group?: (typeof ENGAGEMENT_GROUPS)[number]
  label: string
  icon: Icon
  to: (place: PageAddress) => string
  /** Not a page of the web interface: opens in a tab of its own. */
  isExternal?: true
  /** Synonyms for the palette search. */
  keywords?: string
  /** Second key of the shortcut, after `G`. */
  key?: string
  /** Shown in the bottom bar on phones, which fits four; the others are behind "More". */
  isOnBar?: true
  /** Last entry of its area, regardless of feature order. */
  isLast?: true
  /** Visible to these users; absent: everyone who sees the area. */
  isFor?: (organization: OwnOrganization) => boolean
}

/** A global command in the command palette. */
export interface FeatureCommand {
  id: string
  label: string
  icon: Icon
  keywords?: string
  to: (place: PageAddress) => string
  isFor?: (organization: OwnOrganization) => boolean
  /** Offered only while an engagement is open. */
  isInEngagement?: true
}

/** Contribution of a feature. To add one, create a folder with such a value and a line in `features.ts`. */
export interface Feature {
  routes: { readonly [P in Parent]?: readonly AnyRoute[] }
  navigation?: readonly NavigationEntry[]
  commands?: readonly FeatureCommand[]
  /** Reads to refresh when an object of this type changes, by any user; `any`: an object of any type. */
  live?: { readonly [T in EventType | 'any']?: readonly WebCall[] }
  /** True for a large read of `live` that this event cannot change. */
  isUnaffected?: (key: QueryKey, event: LiveEvent) => boolean
}

/** Preserves the route types, from which the types of params and search derive. */
export const feature = <const F extends Feature>(value: F): F => value

type RoutesOf<F, P extends Parent> = F extends { routes: { readonly [Q in P]: infer R extends readonly unknown[] } }
  ? R
  : readonly []

type Collected<Fs extends readonly unknown[], P extends Parent> = Fs extends readonly [infer First, ...infer Rest]
  ? readonly [...RoutesOf<First, P>, ...Collected<Rest, P>]
  : readonly []

/** All routes that features attach to one parent, each with its own type. */
export const routesAt = <const Fs extends readonly Feature[], P extends Parent>(
  features: Fs,
  parent: P,
): Collected<Fs, P> => features.flatMap(({ routes }) => routes[parent] ?? []) as unknown as Collected<Fs, P>
