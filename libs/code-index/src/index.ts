export { loadPythonSyntax, walkPython, type PythonNode, type PythonSyntax, type PythonTree } from './python-syntax.js';
