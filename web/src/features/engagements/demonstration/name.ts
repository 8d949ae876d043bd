export const DEMONSTRATION_NAME = 'Demonstration: Contoso perimeter'

/** False once the engagement was renamed: it may have become real work. */
export const isDemonstration = ({ name }: { name: string }): boolean => name === DEMONSTRATION_NAME
