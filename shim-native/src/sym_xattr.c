/* Extended attributes: a device node here has none. */
#include <sys/xattr.h>

#include "device.h"
#include "place.h"
#include "sysfs.h"

#define DEFINE_GETXATTR(name, follow)                                             \
	EXPORT ssize_t name(const char *path, const char *attribute,        \
			    void *value, size_t size)                       \
	{                                                                   \
		ssize_t result = REAL(name)(path, attribute, value, size);  \
		char place[PLACE_MAX];                                      \
									    \
		if (place_after(result, AT_FDCWD, path, follow))            \
			return answer(-ENODATA);                            \
		if (sysfs_after(result, AT_FDCWD, path, place))             \
			return REAL(name)(place, attribute, value, size);   \
		return result;                                              \
	}

#define DEFINE_LISTXATTR(name, follow)                                            \
	EXPORT ssize_t name(const char *path, char *list, size_t size)      \
	{                                                                   \
		ssize_t result = REAL(name)(path, list, size);              \
		char place[PLACE_MAX];                                      \
									    \
		if (place_after(result, AT_FDCWD, path, follow))            \
			return 0;                                           \
		if (sysfs_after(result, AT_FDCWD, path, place))             \
			return REAL(name)(place, list, size);               \
		return result;                                              \
	}

DEFINE_GETXATTR(getxattr, true)
DEFINE_GETXATTR(lgetxattr, false)
DEFINE_LISTXATTR(listxattr, true)
DEFINE_LISTXATTR(llistxattr, false)
