import type { EVENT_TYPES } from '@sortie/contract/events.ts'
import type { AnyRoute } from '@tanstack/react-router'
import type { WebCall } from './api.ts'
import type { OwnOrganization } from './shell/organization.tsx'
import type { Icon } from './ui/icons.tsx'

/** The routes of `shell/parents.ts` that a feature can hang its pages on. */
export type Parent = 'root' | 'organization' | 'admins' | 'readers' | 'engagement' | 'account' | 'instance'

/** Where a link stands: in the first sidebar, in one of the three settings areas, or in the sidebar of an engagement. */
export type Area = 'work' | 'organization' | 'settings' | 'account' | 'instance' | 'engagement'

/** The groups of an engagement's sidebar, from the top. */
export const ENGAGEMENT_GROUPS = ['overview', 'plan', 'recon', 'work', 'record'] as const

/** What an address is made from: the organization's slug, and the engagement where one is open. */
export interface PageAddress {
  slug: string
  engagementId: string
}

/** A link in a sidebar and in the command palette. Entries of one area stand in the order of `features.ts`. */
export interface NavigationEntry {
  area: Area
  /** In the area `engagement`; absent: `record`. */
  group?: (typeof ENGAGEMENT_GROUPS)[number]
  label: string
  icon: Icon
  to: (place: PageAddress) => string
  /** Not a page of the web interface: opens in a tab of its own. */
  isExternal?: true
  /** Other words that find it in the palette. */
  keywords?: string
  /** The letter that leads there after `G`. */
  key?: string
  /** In the bar at the foot of a phone, which has room for four; the others are behind its "More". */
  isOnBar?: true
  /** Below all others of its area, wherever its feature stands. */
  isLast?: true
  /** Who sees it; absent: everybody who sees the area. */
  isFor?: (organization: OwnOrganization) => boolean
}

/** Something that can be done from anywhere: an entry of the command palette. */
export interface FeatureCommand {
  id: string
  label: string
  icon: Icon
  keywords?: string
  to: (place: PageAddress) => string
  isFor?: (organization: OwnOrganization) => boolean
}

/** What the server's events are about. */
export type EventType = (typeof EVENT_TYPES)[number]

/** What a feature brings. A new one is a folder with such a value, and a line in `features.ts`. */
export interface Feature {
  routes: { readonly [P in Parent]?: readonly AnyRoute[] }
  navigation?: readonly NavigationEntry[]
  commands?: readonly FeatureCommand[]
  /** Reads that are made again when something of this type changed, whoever changed it; `any`: something of whatever type. */
  live?: { readonly [T in EventType | 'any']?: readonly WebCall[] }
}

/** Keeps the types of the routes: from them come the types of parameters and search. */
export const feature = <const F extends Feature>(value: F): F => value

type RoutesOf<F, P extends Parent> = F extends { routes: { readonly [Q in P]: infer R extends readonly unknown[] } } ? R : readonly []

type Collected<Fs extends readonly unknown[], P extends Parent> = Fs extends readonly [infer First, ...infer Rest]
  ? readonly [...RoutesOf<First, P>, ...Collected<Rest, P>]
  : readonly []

/** All routes that features hang on one parent, each with its own type. */
export const routesAt = <const Fs extends readonly Feature[], P extends Parent>(features: Fs, parent: P): Collected<Fs, P> =>
  features.flatMap(({ routes }) => routes[parent] ?? []) as unknown as Collected<Fs, P>
