/** Where a test run keeps the path of the OpenAPI document for its workers. */
export const DOCUMENT_VARIABLE = 'SORTIE_TEST_DOCUMENT'
