/** Id of the field of the lead, which the next steps lead to. */
export const LEAD_FIELD = 'engagement-lead'
