import type { Output } from '@sortie/client/calls.ts'

export type SecondFactors = Output<'signIn'>['data']['secondFactors']
export type SignedIn = Output<'signInWithSecondFactor'>['data']['user']
