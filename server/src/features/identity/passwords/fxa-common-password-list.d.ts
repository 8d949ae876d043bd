declare module 'fxa-common-password-list' {
  const list: {
    /** Whether this is one of the 50,000 commonest passwords of 8 characters or more, as it is written. */
    test(password: string): boolean
  }
  export default list
}
