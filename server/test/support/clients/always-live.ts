/** For an outbound module without a database that could be in safe mode. */
export const ALWAYS_LIVE = { requireLive: async () => undefined }
