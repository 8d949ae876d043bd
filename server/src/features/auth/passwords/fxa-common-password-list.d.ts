declare module 'fxa-common-password-list' {
  const list: {
    /** @returns true for an exact match with one of the 50,000 most common passwords of 8 characters or more */
    test(password: string): boolean
  }
  export default list
}
