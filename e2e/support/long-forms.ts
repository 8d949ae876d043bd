/** Variable of the environment: `1` where tests run in their long forms, as in `npm run test:soak`. */
export const LONG_FORMS = 'SORTIE_LONG_FORMS'

export const isLongForm = (): boolean => process.env[LONG_FORMS] === '1'
