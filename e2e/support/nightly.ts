/** Whether this is `npm run test:nightly`: tests are run in their long forms, and all of them. */
export const isNightly = process.env['SORTIE_NIGHTLY'] === '1'
