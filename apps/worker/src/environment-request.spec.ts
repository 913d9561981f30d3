import { describe, expect, it } from 'vitest';
import { environmentRequest } from './environment-request.js';

const NOTHING = { lines: [], asked: [] };

describe('environmentRequest', () => {
  it('takes a named interpreter as it is for the candidate', () => {
    const request = environmentRequest({ python: '/opt/py/bin/python', role: 'candidate' }, { lines: ['numpy==2.4'], asked: [] }, null);
    expect(request).toMatchObject({ interpreter: '/opt/py/bin/python', pythonVersion: null });
  });

  it('builds a good version on top of the named interpreter, and takes a control interpreter as it is', () => {
    expect(environmentRequest({ python: '/opt/py/bin/python', role: 'good' }, { lines: ['numpy==1.26.4'], asked: [] }, null)).toMatchObject(
      {
        interpreter: null,
        pythonVersion: '/opt/py/bin/python',
        requirements: ['numpy==1.26.4'],
      },
    );
    expect(environmentRequest({ python: '/opt/other/bin/python', role: 'good' }, NOTHING, null).interpreter).toBe('/opt/other/bin/python');
  });

  it("cuts off at the report's date only where no version is pinned", () => {
    const report = { pythonVersions: [], date: '2023-04-01' };
    expect(environmentRequest({ python: null, role: 'candidate' }, { lines: ['numpy'], asked: [] }, report).cutOffDate).toBe('2023-04-01');
    expect(environmentRequest({ python: null, role: 'candidate' }, { lines: ['numpy==1.0'], asked: [] }, report).cutOffDate).toBeNull();
  });

  it('asks for every Python of the report as a series, and insists only on what the user named', () => {
    const report = { pythonVersions: [{ version: '3.11.4', span: { start: 0, end: 6 } }], date: null };
    const byReport = environmentRequest({ python: null, role: 'candidate' }, NOTHING, report);
    expect(byReport).toMatchObject({ pythonVersion: '3.11.4', anyPython: true, asked: [{ name: 'python', version: '3.11' }] });
    expect(environmentRequest({ python: '3.9', role: 'candidate' }, NOTHING, report)).toMatchObject({
      pythonVersion: '3.9',
      anyPython: false,
    });
  });
});
