/** For a way out without a database behind it, which could be in safe mode. */
export const ALWAYS_LIVE = { requireLive: async () => undefined }
