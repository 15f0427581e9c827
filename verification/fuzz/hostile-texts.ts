/*
 * Texts that have broken other programs, by their kind of attack. A successful attack is visible: a script sets
 * `window.hurt`, a header is called X-Hurt, a polluted object has the property `hurt`.
 */

const COMBINING_ACUTE = '\u0301'

const hostileTexts: Record<string, readonly string[]> = {
  sql: [
    "'; drop table users; --",
    "' or '1'='1",
    '1); select pg_sleep(10); --',
    "\\'; update users set rating = 5; --",
    '$1 $$ $2',
    '%_\\%',
  ],
  html: [
    '<script>window.hurt = 1</script>',
    '"><img src=x onerror="window.hurt = 1">',
    "'><svg onload='window.hurt = 1'>",
    '</script><script>window.hurt = 1</script>',
    '</title></head><body onload="window.hurt = 1">',
    '<!--<script>',
    'javascript:window.hurt=1',
    '&lt;script&gt; &amp; &#0; &quot;',
    '{{7*7}} #{7*7} <%= 7*7 %>',
    '<iframe srcdoc="<script>parent.hurt = 1</script>"></iframe>',
    ']]></loc><script>window.hurt = 1</script>',
  ],
  header: [
    'a\r\nX-Hurt: 1',
    'a\r\n\r\n<script>window.hurt = 1</script>',
    'a\nBcc: hurt@example.com',
    'a\u2028b\u2029c\u0085d',
    'a%0d%0aX-Hurt:%201',
  ],
  path: [
    '../../../../etc/passwd',
    '..\\..\\windows\\win.ini',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/etc/passwd',
    'lamp.png\u0000.exe',
    'file:///etc/passwd',
    'CON',
    '.',
    '..',
  ],
  unicode: [
    'a\u0000b',
    '\u202egnp.exe\u202c',
    '\u2066\u2067\u2068isolated',
    'zero\u200bwidth\u200d\ufeffjoined',
    `bomb${COMBINING_ACUTE.repeat(80)}`,
    '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u{1f1f2}\u{1f1fe}',
    '\u{10ffff}\u{e0041}',
    'high \ud800 alone',
    'low \udc00 alone',
    '\udc00\ud800',
    'cafe\u0301 caf\u00e9 \ufb01 \ufdfa \u212b',
    '\u0130\u0131 \u1e9e \u03c3\u03c2',
    '\u0001\u0007\u001b[31m\u007f\u009b',
    '\u202e',
    '\u200b',
    '\ufffe\uffff',
  ],
  prototype: [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '{"__proto__":{"hurt":1}}',
    '__proto__[hurt]',
    'constructor.prototype.hurt',
  ],
  formula: [
    "=cmd|' /C calc'!A0",
    '+1+1',
    '-1+1',
    '@SUM(1)',
    '\t=1+1',
    '=HYPERLINK("http://hurt.example","x")',
  ],
  number: ['NaN', '-0', '1e999', '0x10', '٣', '1_000', 'null', 'undefined', 'true', '[object Object]'],
}

export const allHostileTexts: readonly string[] = Object.values(hostileTexts).flat()
