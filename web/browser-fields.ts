/** What the build keeps of a call and of its upload. `scripts/browser-fields.test.ts` checks that the app reads no more. */
export const BROWSER_FIELDS = ['method', 'path', 'upload', 'field', 'maxBytes']
