import type { Feature } from '../../../platform/feature.ts'
import { type SignInParts, signInRoutes } from './sign-in.routes.ts'

export const signIns: Feature<SignInParts> = { name: 'sign-in', routes: signInRoutes }
