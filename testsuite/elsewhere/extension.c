/* SPDX-License-Identifier: GPL-3.0-or-later
   An extension of Python.  */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "blocks.h"

static PyObject *
ask (PyObject *self, PyObject *arguments)
{
  (void) self;
  (void) arguments;
  return PyUnicode_FromString (blocks () ? "static" : "not static");
}

static PyMethodDef methods[] = {
  { "ask", ask, METH_NOARGS, "" },
  { NULL, NULL, 0, NULL }
};
static struct PyModuleDef module = {
  PyModuleDef_HEAD_INIT, "extension", "", -1, methods, NULL, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_extension (void)
{
  return PyModule_Create (&module);
}
