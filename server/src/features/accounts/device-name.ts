/*
 * What a browser calls itself, in words that its owner recognises. Browsers claim to be each other, so that the
 * order matters: the first that fits is the one.
 */

const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+ (Mobile\/\S+ )?Safari\//, 'Safari'],
]

const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** Such as 'Chrome on Windows'. */
export function deviceName(userAgent: string): string {
  const browser = firstThatFits(BROWSERS, userAgent)
  const system = firstThatFits(SYSTEMS, userAgent)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? (system ? `Unknown browser on ${system}` : 'Unknown browser')
}

const firstThatFits = (names: [RegExp, string][], userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]
