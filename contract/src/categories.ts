/** The part of a category's address, such as 'home-garden' for 'Home & Garden'. */
export const categorySlug = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

export const findCategory = (categories: readonly string[], slug: string): string | undefined =>
  categories.find((name) => categorySlug(name) === slug)
