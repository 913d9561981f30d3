/** Shapes of keys and tokens that must never get into a prompt, a log or an error. Each is bounded and linear. */
const SHAPES: [RegExp, string][] = [
  [/\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,200}/g, '***'],
  [/\b(?:gh[pousr]_[A-Za-z0-9]{20,100}|github_pat_[A-Za-z0-9_]{20,120}|glpat-[A-Za-z0-9_-]{16,60})/g, '***'],
  [/\bhf_[A-Za-z0-9]{20,60}/g, '***'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, '***'],
  [/\bxox[abprs]-[A-Za-z0-9-]{10,120}/g, '***'],
  [/\bAIza[A-Za-z0-9_-]{30,50}/g, '***'],
  [/\beyJ[A-Za-z0-9_-]{10,1000}\.[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,1000}/g, '***'],
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,8000}?-----END [A-Z ]{0,30}PRIVATE KEY-----/g, '***'],
  [/(\b[Bb]earer\s{1,4})[A-Za-z0-9._~+/=-]{12,2000}/g, '$1***'],
  [/(\b\w{0,40}(?:api_?key|secret|passwd|password|access_?token|auth_?token)["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"',;]{6,500}/gi, '$1***'],
  [/(\bhttps?:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}@/g, '$1***@'],
];

/** Text with everything that looks like a key, token or password replaced by `***`. */
export function redactSecrets(text: string): string {
  return SHAPES.reduce((current, [shape, replacement]) => current.replace(shape, replacement), text);
}
