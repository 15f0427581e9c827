/**
 * The fields of a call and of its upload that the build keeps. `scripts/browser-fields.test.ts` checks that the app
 * reads no others.
 */
export const BROWSER_FIELDS = ['method', 'path', 'about', 'changes', 'fresh', 'upload', 'field', 'maxBytes']
