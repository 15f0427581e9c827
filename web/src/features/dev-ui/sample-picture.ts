/** A picture without a file: a lamp on a desk, in the size of a phone's photo. */
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480"><rect width="640" height="480" fill="#c9b48c"/><rect y="330" width="640" height="150" fill="#7a5230"/><circle cx="420" cy="170" r="120" fill="#e9d8ae"/><path d="M180 330h110l-20-170h-70z" fill="#2f4a3f"/><path d="M120 170h230l-50-100H170z" fill="#1f3a30"/><rect x="400" y="250" width="120" height="80" fill="#a53f2b"/><rect x="412" y="232" width="96" height="18" fill="#efe6d0"/></svg>`

export const samplePicture = `data:image/svg+xml,${encodeURIComponent(svg)}`
